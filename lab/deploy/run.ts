import { TRIAL, type Trial } from './trial.ts';
import { tryCompose } from './try-compose.ts';
import { tryImage } from './try-image.ts';
import { tryNginx } from './try-nginx.ts';
import { tryUnits } from './try-units.ts';

/** `npm run try-deploy -- [image] [nginx] [units] [compose]`, all of them without a word; docs/deployment.md says more. */
const PARTS: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  image: tryImage,
  nginx: tryNginx,
  units: tryUnits,
  compose: tryCompose,
};
const words = process.argv.slice(2);
const unknown = words.find((word) => !(word in PARTS));
if (unknown !== undefined) {
  console.error(`no part is called ${unknown}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
for (const [name, part] of Object.entries(PARTS)) {
  if (words.length > 0 && !words.includes(name)) continue;
  console.log(`${name}:`);
  try {
    await part(TRIAL);
  } catch (fault) {
    console.error(`FAILED    ${name}: ${fault instanceof Error ? fault.message : String(fault)}`);
    process.exit(1);
  }
}
