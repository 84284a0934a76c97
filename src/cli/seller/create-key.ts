import { tokenLine } from '../../core/seller/proof-token.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { plainText } from '../show/plain-text.ts';
import { createKeyFile, readKeyFile } from './key-file.ts';

/** assay seller key */
export async function sellerKey(given: Arguments, { out, notes }: CommandContext): Promise<Outcome> {
  const [file = ''] = given.words;
  if (file === '') return { invalid: 'the name of the key file is required' };
  const isNew = createKeyFile(file);
  const key = readKeyFile(file);
  if (key === null) return { invalid: `${plainText(file)} is not an Ed25519 key that can be read` };
  const token = tokenLine(key.publicKey);
  if (given.has('--json')) {
    out.write(`${JSON.stringify({ file, created: isNew, key: key.publicKey, token })}\n`);
    return EXIT.done;
  }
  out.write(`${token}\n`);
  notes.write(
    `assay: ${isNew ? 'created' : 'kept'} ${plainText(file)}. Publish the line in https://<your host>/.well-known/assay-verify.txt, or as a TXT record at _assay.<your host>.\n`,
  );
  return EXIT.done;
}
