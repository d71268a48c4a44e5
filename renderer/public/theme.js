// Loaded before everything else, so that the first paint has the right colors: the CSP forbids inline scripts, and a
// module would run only after the first paint. The key is the one that @vueuse/core uses.
(() => {
  let choice = 'auto';
  try {
    choice = localStorage.getItem('vueuse-color-scheme') || choice;
  } catch {
    // Storage is disabled: follow the system.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(dark ? 'dark' : 'light');
})();
