/*
 * The only script of the pages: copy buttons, time left until a deadline and what is over after it, progress while an endpoint is checked.
 * Every page works without it. It sends nothing and reads nothing but the page.
 */
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const span = (milliseconds) => {
    const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
    const minutes = Math.floor(seconds / 60);
    if (minutes >= 120) return `${Math.floor(minutes / 60)} h`;
    return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
  };

  const canCopy = navigator.clipboard !== undefined && window.isSecureContext;
  for (const button of canCopy ? all('button[data-copy]') : []) {
    const words = button.innerHTML;
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not copied';
      }
      setTimeout(() => {
        button.innerHTML = words;
      }, 1500);
    });
  }

  const deadlines = all('[data-deadline]').map((block) => ({
    block,
    at: Date.parse(block.dataset.deadline),
    left: block.querySelector('[data-left]'),
  }));
  const waits = all('button[data-until]').map((button) => ({
    button,
    at: Date.parse(button.dataset.until),
    words: button.textContent,
  }));
  // What a deadline takes away: the class of its block, icon and words, and the title of the page.
  const expire = (block) => {
    block.className = block.dataset.over;
    delete block.dataset.over;
    for (const icon of block.querySelectorAll('[data-before]')) icon.hidden = true;
    for (const icon of block.querySelectorAll('[data-after]')) icon.hidden = false;
    for (const words of block.querySelectorAll('[data-later]')) words.textContent = words.dataset.later;
    if (block.dataset.title !== undefined) document.title = block.dataset.title;
  };
  // A slow clock must not prolong an approval: the page is no younger than the time since it was made.
  const made = Math.max(0, ...all('[data-now]').map(({ dataset }) => Date.parse(dataset.now)));
  const tick = () => {
    const now = Math.max(Date.now(), made + performance.now());
    for (const { block, at, left } of deadlines) {
      if (left !== null) left.textContent = at > now ? `, ${span(at - now)} left` : ': expired, check again';
      if (at <= now && block.dataset.over !== undefined) expire(block);
    }
    for (const { button, at, words } of waits) {
      button.disabled = at > now;
      button.textContent = at > now ? `${words} in ${span(at - now)}` : words;
    }
    return deadlines.some(({ at }) => at > now) || waits.some(({ at }) => at > now);
  };
  if (tick()) {
    const timer = setInterval(() => {
      if (!tick()) clearInterval(timer);
    }, 1000);
    // Timers of a page in the background are late.
    document.addEventListener('visibilitychange', tick);
  }

  for (const form of all('form[data-progress]')) {
    const panel = form.querySelector('.progress');
    form.addEventListener('submit', () => {
      form.setAttribute('aria-busy', 'true');
      if (panel === null) return;
      panel.hidden = false;
      const since = Date.now();
      const elapsed = panel.querySelector('[data-elapsed]');
      setInterval(() => {
        elapsed.textContent = `: ${Math.round((Date.now() - since) / 1000)} s`;
      }, 1000);
    });
  }
  // Back from the receipt: the form as it was before. A reload might send it again.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    for (const form of all('form[data-progress]')) form.removeAttribute('aria-busy');
    for (const panel of all('form[data-progress] .progress')) panel.hidden = true;
  });
})();
