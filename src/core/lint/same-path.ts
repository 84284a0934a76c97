const PARAMETER = /^(?:\{[^{}]*\}|:[^/]+|\[[^\]]*\])$/;
const PARAMETERS = /\{[^{}]*\}/;

/** Whether a path is this one, where a template such as /users/{id}.json or /users/:id stands for any text in its segment. */
export function isSamePath(template: string, path: string): boolean {
  const [wanted, given] = [template, path].map((text) => text.replace(/\/$/, '').split('/'));
  if (wanted === undefined || given === undefined || wanted.length !== given.length) return false;
  return wanted.every((part, index) => isSameSegment(part, given[index] ?? ''));
}

function isSameSegment(wanted: string, given: string): boolean {
  return wanted === given || PARAMETER.test(wanted) || isAround(wanted.split(PARAMETERS), given);
}

/** Whether a text has these parts in this order, with something between each two. No expression is made of a stranger's text. */
function isAround([first = '', ...others]: readonly string[], text: string): boolean {
  const last = others.pop();
  if (last === undefined || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at + 1);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at < text.length - last.length;
}
