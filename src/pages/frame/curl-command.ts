import type { CheckForm } from '../../wire/requests/check-form.ts';

/** The same check from a shell. The encoded query contains no shell syntax. */
export function curlCommand(spotCheck: string, form: Partial<CheckForm>): string {
  const sent = Object.entries(form).filter(([, text]) => text !== '');
  return `curl -s '${spotCheck}?${new URLSearchParams(sent)}'`;
}
