import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { createWebhookSender } from '../../src/adapters/webhook/webhook-sender.ts';
import type { WebhookRequest, WebhookSender } from '../../src/ports/webhook-sender.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.ts';

let receiver: WebhookReceiver;
let sender: WebhookSender;
const message = (url = receiver.url): WebhookRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
  body: '{"grüße":"🙂"}',
});

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  sender = createWebhookSender({
    egress: egressGuard({
      allow: ['127.0.0.0/8', 'receiver.test'],
      resolver: async () => [{ address: '127.0.0.1', family: 4 }],
    }),
    timeoutMs: 300,
  });
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
});

describe('webhook sender', () => {
  it('delivers the bytes it was given and answers what the receiver said', async () => {
    receiver.reactOnce({ status: 202, body: 'thanks' });
    expect(await sender.send(message())).toMatchObject({
      kind: 'response',
      status: 202,
      body: 'thanks',
    });
    expect(receiver.received.at(-1)).toMatchObject({
      text: '{"grüße":"🙂"}',
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    });
  });

  it('does not follow a redirect', async () => {
    const before = receiver.received.length;
    receiver.reactOnce({ status: 302, headers: { location: 'http://169.254.169.254/latest' } });
    expect(await sender.send(message())).toMatchObject({ kind: 'response', status: 302 });
    expect(receiver.received).toHaveLength(before + 1);
  });

  it('hands on Retry-After', async () => {
    receiver.reactOnce({ status: 503, headers: { 'retry-after': '7' } });
    expect(await sender.send(message())).toMatchObject({ status: 503, retryAfter: '7' });
  });

  it('says that a connection was reset', async () => {
    receiver.reactOnce('reset');
    expect(await sender.send(message())).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringMatching(/reset|closed/) as string,
    });
  });

  it.each(['hang', 'drip'] as const)(
    'gives up on a receiver that does not come to an end: %s',
    async (reaction) => {
      receiver.reactOnce(reaction);
      const attempt = await sender.send(message());
      expect(attempt).toMatchObject({
        kind: 'unreachable',
        reason: 'no complete response within 0.3 s',
      });
      expect(attempt.elapsedMs).toBeLessThan(1500);
    },
  );

  it('says that nobody listens, and delivers again when somebody does', async () => {
    await receiver.down();
    // The pooled connection may notice its end only by being used.
    await sender.send(message());
    const refused = await sender.send(message());
    await receiver.up();
    expect(refused).toMatchObject({ kind: 'unreachable', reason: 'the connection was refused' });
    expect(await sender.send(message())).toMatchObject({ kind: 'response', status: 200 });
  });

  it('a long answer is cut', async () => {
    receiver.reactOnce({ status: 200, body: 'x'.repeat(100_000) });
    const attempt = await sender.send(message());
    expect(attempt.kind === 'response' && attempt.body.length).toBe(4096);
  });

  it('a name that stands for a private address is refused at send, whatever it was at save', async () => {
    const guarded = createWebhookSender({
      egress: egressGuard({ resolver: async () => [{ address: '127.0.0.1', family: 4 }] }),
    });
    const before = receiver.received.length;
    expect(
      await guarded.send(message(receiver.url.replace('127.0.0.1', 'rebound.test'))),
    ).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('rebound.test resolves to') as string,
    });
    expect(await guarded.send(message())).toMatchObject({ kind: 'refused' });
    expect(receiver.received).toHaveLength(before);
    await guarded.close();
  });

  it('connects to the very address that was checked', async () => {
    let lookups = 0;
    // The second answer would be another address: nobody may ask for it.
    const pinned = createWebhookSender({
      egress: egressGuard({
        allow: ['127.0.0.1'],
        resolver: async () => [
          { address: lookups++ === 0 ? '127.0.0.1' : '10.255.255.1', family: 4 },
        ],
      }),
    });
    expect(
      await pinned.send(message(receiver.url.replace('127.0.0.1', 'pinned.test'))),
    ).toMatchObject({ status: 200 });
    expect(lookups).toBe(1);
    await pinned.close();
  });

  it('what goes wrong is said without the address, which can carry secrets', async () => {
    await receiver.down();
    const attempt = await sender.send(message(`${receiver.url}?token=hunter2`));
    expect(JSON.stringify(attempt)).not.toContain('hunter2');
    await receiver.up();
  });
});

describe('webhook sender over TLS', () => {
  let folder: string;
  let secure: WebhookReceiver;
  const pem = (name: string): string => readFileSync(join(folder, name), 'utf8');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'));
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=receiver.test',
        '-addext',
        'subjectAltName=DNS:receiver.test',
        '-keyout',
        join(folder, 'key.pem'),
        '-out',
        join(folder, 'cert.pem'),
      ],
      { stdio: 'ignore' },
    );
    secure = await startWebhookReceiver({ tls: { key: pem('key.pem'), cert: pem('cert.pem') } });
  });
  afterAll(async () => {
    await secure.close();
    rmSync(folder, { recursive: true });
  });

  it('a certificate that nobody vouches for is not accepted', async () => {
    expect(
      await sender.send(message(secure.url.replace('127.0.0.1', 'receiver.test'))),
    ).toMatchObject({ kind: 'unreachable', reason: 'its certificate is self-signed' });
    expect(secure.received).toHaveLength(0);
  });

  it('a trusted one is, for its own name, although the connection goes to a checked address', async () => {
    const trusting = createWebhookSender({
      egress: egressGuard({
        allow: ['127.0.0.1'],
        resolver: async () => [{ address: '127.0.0.1', family: 4 }],
      }),
      ca: pem('cert.pem'),
    });
    expect(
      await trusting.send(message(secure.url.replace('127.0.0.1', 'receiver.test'))),
    ).toMatchObject({ status: 200 });
    expect(
      await trusting.send(message(secure.url.replace('127.0.0.1', 'another.test'))),
    ).toMatchObject({ kind: 'unreachable', reason: 'its certificate is for another name' });
    await trusting.close();
  });
});
