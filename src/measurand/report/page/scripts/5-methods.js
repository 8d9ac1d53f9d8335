// Copy buttons: the text beside them goes to the clipboard, or is selected where the browser forbids that.
{
  const select = (place) => {
    const range = document.createRange();
    range.selectNodeContents(place);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };

  const copy = async (button, place) => {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(place.textContent);
      button.textContent = "Copied";
    } catch {
      select(place);
      button.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
    }
    setTimeout(() => { button.textContent = said; }, 2000);
  };

  all(".copying").forEach((box) => {
    const button = box.querySelector("button.copy");
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", () => copy(button, box.querySelector("pre")));
  });
}
