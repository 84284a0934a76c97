import type { SignedDocument } from '../../core/seller/signed-document.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { SellerStore } from '../../ports/seller.ts';
import { isSecret, type SecretPorts } from './is-secret.ts';

export interface ReplyPorts extends SecretPorts {
  readonly sellers: Pick<SellerStore, 'keepReply' | 'withdrawReply'>;
  readonly keyOf: (text: string) => string;
}

export interface WantedReply {
  readonly target: TargetUrl;
  readonly at: Date;
  readonly document: SignedDocument;
}

export type ReplyResult =
  | { readonly kind: 'replied'; readonly note: string }
  /** The statement is public with its URL, which may hold a secret (gap G53). */
  | { readonly kind: 'secret_url' }
  /** A newer statement about this URL is known. */
  | { readonly kind: 'overtaken' };

/** Publishes the words of an owner beside our own; the newest ones replace the others (gap L112). */
export async function reply(
  { target, at, document }: WantedReply,
  note: string,
  ports: ReplyPorts,
): Promise<ReplyResult> {
  const urlKey = ports.keyOf(target.normalized);
  if (await isSecret(target, urlKey, ports)) return { kind: 'secret_url' };
  const isKept = await ports.sellers.keepReply({ urlKey, note, at, signed: document });
  return isKept ? { kind: 'replied', note } : { kind: 'overtaken' };
}

export interface Withdrawn {
  readonly kind: 'withdrawn';
  /** False when there was no reply. */
  readonly isChanged: boolean;
}

export async function withdrawReply(
  { target, at }: WantedReply,
  { sellers, keyOf }: ReplyPorts,
): Promise<Withdrawn> {
  return { kind: 'withdrawn', isChanged: await sellers.withdrawReply(keyOf(target.normalized), at) };
}
