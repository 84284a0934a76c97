import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** No name resolves and no address but loopback's is reached, whatever a page asks for. */
const ARGUMENTS = ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*'];

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: ARGUMENTS });
}

function chromiumPath(): string {
  const found = PLACES.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return place !== '';
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error('no Chromium was found: run scripts/install-chromium');
  return found;
}
