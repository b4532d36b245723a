import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Claims of a person at the provider, by login name. */
export type People = Record<string, Record<string, unknown>>;

export interface OpenidServer {
  issuer: string;
  stop(): Promise<void>;
}

/** A real OpenID Connect provider with one client. Everybody agrees to everything. */
export async function startOpenid(
  people: People,
  client: { id: string; secret: string; redirectUri: string },
): Promise<OpenidServer> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups'],
    },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
    async loadExistingGrant(context) {
      const { session, client: asking } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: asking?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  server.on('request', provider.callback());
  return { issuer, stop: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
}

/** A browser that goes where it is sent, with the cookies of each host and port. */
export class Traveller {
  readonly jars = new Map<string, Map<string, string>>();

  /** One request, without following its redirect. */
  async visit(url: string, form?: Record<string, string>): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') {
        jar.delete(name);
      } else {
        jar.set(name, value);
      }
    }
    return answer;
  }

  /** Signs in at the provider. Answers the address of the way back, which was not opened. */
  async signInAt(issuer: string, begin: string, login: string): Promise<string> {
    let url = begin;
    for (let step = 0; step < 12; step++) {
      const answer = await this.visit(url);
      const location = answer.headers.get('location');
      if (location !== null) {
        url = new URL(location, url).href;
        if (!url.startsWith(issuer)) {
          return url;
        }
        continue;
      }
      const sent = await this.visit(url, { prompt: 'login', login, password: 'any' });
      url = new URL(sent.headers.get('location') ?? '', url).href;
    }
    throw new Error(`the provider did not send the browser back: ${url}`);
  }
}
