const PARAMETER = /^(?:\{[^{}]*\}|:[^/]+|\[[^\]]*\])$/;

/** Whether a path is this one, where a template such as /users/{id} or /users/:id stands for any segment. */
export function isSamePath(template: string, path: string): boolean {
  const [wanted, given] = [template, path].map((text) => text.replace(/\/$/, '').split('/'));
  if (wanted === undefined || given === undefined || wanted.length !== given.length) return false;
  return wanted.every((part, index) => part === given[index] || PARAMETER.test(part));
}
