import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificates {
  /** PEM texts. */
  ca: string;
  server: { certificate: string; privateKey: string };
  client: { certificate: string; privateKey: string };
}

/** A broker's name as a managed cluster gives it; the certificates are good for it, too. */
export const clusterBrokerName = 'b-1.test.kafka.us-east-1.amazonaws.com';

/**
 * An authority of this run, and what it signed: a server of localhost and 127.0.0.1, a client. The
 * files stay in the folder (ca.crt, server.pem, …).
 */
export function makeCertificates(folder: string): TestCertificates {
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    const done = spawnSync('openssl', args, { encoding: 'utf8' });
    if (done.status !== 0) {
      throw new Error(`openssl ${args[0]}: ${done.stderr}`);
    }
  };
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=test authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
  );
  writeFileSync(
    file('names.cnf'),
    `subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:${clusterBrokerName}\n`,
  );
  for (const [name, subject] of [
    ['server', '/CN=localhost'],
    ['client', '/CN=reader'],
  ] as const) {
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      subject,
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.csr`),
    );
    openssl(
      'x509',
      '-req',
      '-days',
      '2',
      '-in',
      file(`${name}.csr`),
      '-CA',
      file('ca.crt'),
      '-CAkey',
      file('ca.key'),
      '-CAcreateserial',
      '-extfile',
      file('names.cnf'),
      '-out',
      file(`${name}.crt`),
    );
  }
  const text = (name: string): string => readFileSync(file(name), 'utf8');
  writeFileSync(file('server.pem'), text('server.key') + text('server.crt'));
  const pair = (name: string) => ({
    certificate: text(`${name}.crt`),
    privateKey: text(`${name}.key`),
  });
  return { ca: text('ca.crt'), server: pair('server'), client: pair('client') };
}
