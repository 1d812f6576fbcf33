// Sets the theme before the first paint. A classic script, so that it runs before the body is there.
(function () {
    let theme = null;
    try {
        theme = localStorage.getItem('penstock.theme');
    } catch {
        // Storage may be switched off: the system's theme then.
    }
    if (theme === 'light' || theme === 'dark') {
        document.documentElement.dataset.theme = theme;
    }
})();
