// Runs before the first paint, and as a classic script: no import, no export. What it reads is a look, not data.
(() => {
  const root = document.documentElement;
  let wanted: string | null = null;
  try {
    wanted = localStorage.getItem('cf-theme');
  } catch {
    // A browser that keeps nothing gets the system's look.
  }
  const isDark =
    wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
