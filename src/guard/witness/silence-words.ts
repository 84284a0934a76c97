import type { Disagrees, UnavailableCause } from './ask-service.ts';

/** Why a service said nothing about the terms, in one sentence for the buyer. */
export const SILENCE_WORDS: Readonly<Record<UnavailableCause, string>> = {
  unreachable: 'The service cannot be reached.',
  timed_out: 'The service did not answer in time.',
  costs_money:
    'The service asks for payment: its free checks are used up, and there is no payAsk, or it did not pay.',
  busy: 'The service is at a limit; ask again later.',
  failed: 'The service answered with an error of its own.',
  refused: 'The service refused to check this endpoint.',
  bad_answer: 'The service gave an answer that cannot be read.',
  not_askable: 'The service checks only GET and POST of public URLs without a password.',
  secret_in_url: 'The URL seems to contain a credential, which is not given to a service.',
  needs_input: 'The endpoint wants input first, and the service does not have it.',
};

/** Why a service does not approve the terms, in codes of ours, and where to read more. */
export function disagreementWords({ reason, receiptId }: Disagrees): string {
  const receipt = receiptId === null ? '' : ` (receipt ${receiptId})`;
  return `The service does not approve these payment terms: ${reason}${receipt}.`;
}

/** Why a service that looked came to no decision. In a free trial it may have read the terms (gap G41). */
export function undecidedWords(reason: Disagrees['reason']): string {
  switch (reason) {
    case 'timeout':
    case 'unreachable':
    case 'server_error':
      return 'The service could not see the terms of the endpoint.';
    case 'free_trial_active':
      return 'The endpoint offers a free trial, and the service approves no payment meanwhile.';
    default:
      return 'The service came to no decision, and does not say why.';
  }
}
