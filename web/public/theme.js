// Sets theme and density before the first paint. A file, because the policy forbids inline scripts.
(() => {
  const read = (name) => {
    try {
      return JSON.parse(localStorage.getItem(`sightline.${name}`) ?? 'null');
    } catch {
      return null;
    }
  };
  const theme = read('theme');
  const isDark =
    theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const root = document.documentElement;
  root.dataset.theme = isDark ? 'dark' : 'light';
  root.dataset.density = read('density') ?? 'normal';
})();
