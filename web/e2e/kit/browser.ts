import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The headless shell first: a page costs it a third less processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  return [...(named === undefined ? [] : [named]), ...places].find(existsSync);
}

/**
 * For `describe.skipIf`: a missing browser fails in CI and skips elsewhere, with a line that says
 * how to install it.
 */
export function browserMissing(): boolean {
  if (findChromium() !== undefined) {
    return false;
  }
  const text =
    'Chromium is missing: apt-get install chromium-headless-shell, or set CHROMIUM to its path';
  if (process.env['CI'] === 'true') {
    throw new Error(text);
  }
  console.log(`skipped: ${text}`);
  return true;
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Without a graphics card, to imitate one costs a seventh more processor time.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--force-color-profile=srgb',
    ],
  });
}
