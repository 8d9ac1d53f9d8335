// Measures: a mark leads to what decides it, which is folded away.
{
  const unfold = (hash) => {
    const target = /^#profile-[\w-]+$/.test(hash) ? byId(hash.slice(1)) : null;
    const folded = target?.closest("details");
    if (!folded) return;
    folded.open = true;
    target.scrollIntoView({ block: "center" });
    (target === folded ? folded.querySelector("summary") : target).focus({ preventScroll: true });
  };
  byId("measures")?.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#profile-']");
    if (!link) return;
    event.preventDefault();
    unfold(link.hash);
    history.replaceState(null, "", link.hash);
  });
  started.push(() => {
    unfold(location.hash);
    window.addEventListener("hashchange", () => unfold(location.hash));
  });
}
