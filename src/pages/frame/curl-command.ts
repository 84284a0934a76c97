import type { CheckForm } from '../../wire/requests/check-form.ts';

/** The same check from a shell. A query is encoded so that nothing in it means anything to one. */
export function curlCommand(spotCheck: string, form: Partial<CheckForm>): string {
  const sent = Object.entries(form).filter(([, text]) => text !== '');
  return `curl -s '${spotCheck}?${new URLSearchParams(sent)}'`;
}
