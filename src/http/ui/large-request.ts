import { hash } from 'node:crypto';

/** Light and dark as the browser, without a file or a script. */
const style = `:root{color-scheme:light dark;background:#fff;color:#171c24}
a{color:#0a5cc7}
@media(prefers-color-scheme:dark){:root{background:#0e1116;color:#e7eaef}a{color:#6fb0ff}}
body{max-width:34rem;margin:15vh auto;padding:0 1.5rem;font:14px/1.5 system-ui,sans-serif}
h1{font-size:20px}
li{margin:.5rem 0}`;

/**
 * The page for a person whose browser sent more than the server reads. What the browser asked for is
 * not known here, so `?` lets it find the path itself.
 */
export const largeRequestPage = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  },
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Address too long · Sightline</title>
<style>${style}</style></head><body><main>
<h1>This address is too long</h1>
<p>The server reads at most 16 KiB of an address and of the cookies that the browser sends with it.</p>
<ul>
<li>If a link led here, it is damaged: links of Sightline have at most 4,000 characters.
<a href="?">Open the page without the rest of the address</a>.</li>
<li>If every page of this server fails, delete the cookies of this address and load it again.</li>
</ul>
<p><a href="/">Go to Sightline</a></p>
</main></body></html>
`,
};
