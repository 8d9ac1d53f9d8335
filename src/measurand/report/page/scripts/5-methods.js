// Copy buttons: the text beside them goes to the clipboard, or is selected where the browser forbids that.
{
  all(".copying").forEach((box) => {
    const button = box.querySelector("button.copy");
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", () => copyText(button, box.querySelector("pre").textContent, box.querySelector("pre")));
  });
}
