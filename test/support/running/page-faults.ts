import type { Page } from 'playwright-core';

/** What a reader would see broken: a page that is too wide, text that is cut off, words that go on in the next line. */
export async function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(FIND_FAULTS);
}

/*
 * Runs in the page. What can be scrolled (code, wide tables) may be wider than the page. A word may go on in the next line after
 * a hyphen or a slash, as in any text, and where the page says so with <wbr>, which ends a text node.
 */
const FIND_FAULTS = `(() => {
  const faults = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.add('the page is ' + root.scrollWidth + ' px wide');
  const isForScreenReaders = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).clipPath === 'inset(50%)') return true;
    }
    return false;
  };
  const isUnseen = (element) => element.closest('title, script, select') !== null || isForScreenReaders(element)
    || !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  const scrolls = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const nameOf = (element) => element.tagName.toLowerCase() + (element.className.baseVal ?? element.className ? '.' + (element.className.baseVal ?? element.className) : '');
  for (const element of document.querySelectorAll('body *')) {
    if (isUnseen(element)) continue;
    const style = getComputedStyle(element);
    const isClipped = ['hidden', 'clip'].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (isClipped && !element.closest('svg')) faults.add(nameOf(element) + ' cuts off "' + element.textContent.trim().slice(0, 40) + '"');
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (isUnseen(parent)) continue;
    const drawing = parent.closest('svg');
    if (drawing !== null) {
      const [inner, outer] = [parent.getBoundingClientRect(), drawing.getBoundingClientRect()];
      if (node.data.trim() !== '' && (inner.left < outer.left - 1 || inner.right > outer.right + 1)) faults.add('a drawing cuts off "' + node.data.trim() + '"');
      continue;
    }
    if (scrolls(parent)) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-\\/–—]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) faults.add('"' + word.slice(0, 60) + '" breaks in ' + nameOf(parent));
      if (boxes.some(({ left, right }) => right > innerWidth + 1 || left < -1)) faults.add('"' + word.slice(0, 60) + '" leaves the page in ' + nameOf(parent));
    }
  }
  return [...faults];
})()`;
