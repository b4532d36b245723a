import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId, Timestamp, Uuid } from '../common.ts';
import { operation, scopes } from '../operation.ts';
import { Team } from '../team.ts';
import { UserRole } from './role.ts';

const dayMs = 86_400_000;
/** A session ends after this time without a request, in milliseconds. */
export const sessionIdleMs = 7 * dayMs;
/** A session ends this long after the sign-in, in milliseconds. */
export const sessionMaxMs = 30 * dayMs;

/** A password that a user chooses. */
export const NewPassword = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(1024, 'must have at most 1024 characters')
  .meta({ description: 'New password (8–1024 characters).' });

const GivenPassword = z.string().min(1).max(1024);

export const SignIn = z
  .object({
    email: z.string().min(1).max(320).meta({ description: 'E-mail address of the user.' }),
    password: GivenPassword.meta({ description: 'Password of the user.' }),
  })
  .meta({ id: 'SignIn' });
export type SignIn = z.output<typeof SignIn>;

export const SessionUser = z
  .object({
    id: ObjectId,
    email: z.string().meta({ description: 'E-mail address of the user.' }),
    name: z.string().optional().meta({ description: 'Name of the user; absent if unset.' }),
  })
  .meta({ id: 'SessionUser', description: 'User of the session.' });

const sessionExample = {
  id: '65f0c1d2e3a4b5c6d7e8f90a',
  user: { id: '65f0c1d2e3a4b5c6d7e8f902', email: 'ada@example.com', name: 'Ada' },
  role: 'member' as const,
  scopes: ['stack:read' as const, 'team:read' as const],
  team: { id: '65f0c1d2e3a4b5c6d7e8f900', name: 'Example shop' },
  organizationId: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
  serviceId: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
  hasPassword: true,
  createdAt: '2026-03-14T09:26:53.589Z',
  expiresAt: '2026-04-13T09:26:53.589Z',
};

export const Session = z
  .object({
    id: ObjectId,
    user: SessionUser,
    role: UserRole,
    scopes: z.array(z.enum(scopes)).meta({ description: 'What the session can do.' }),
    team: Team,
    organizationId: Uuid.meta({ description: 'Organization of the team, for /v1.' }),
    serviceId: Uuid.meta({ description: 'Id of the team as a service, for /v1.' }),
    hasPassword: z.boolean().meta({
      description: 'Whether the user has a password. Otherwise single sign-on is needed.',
    }),
    createdAt: Timestamp,
    expiresAt: Timestamp.meta({
      description:
        'Time at which the session ends at the latest. It ends earlier after 7 days without a request.',
    }),
  })
  .meta({ id: 'Session', example: sessionExample });
export type Session = z.output<typeof Session>;

export const OwnSession = z
  .object({
    id: ObjectId,
    current: z.boolean().meta({ description: 'Whether this session makes the request.' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ description: 'Time of last use, rounded to the minute.' }),
    expiresAt: Timestamp.meta({ description: 'Time at which the session ends at the latest.' }),
    address: z
      .string()
      .optional()
      .meta({ description: 'Network address at the sign-in; absent if unknown.' }),
    browser: z
      .string()
      .optional()
      .meta({ description: 'Name that the browser sent at the sign-in; absent if it sent none.' }),
  })
  .meta({
    id: 'OwnSession',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f90a',
      current: true,
      createdAt: '2026-03-14T09:26:53.589Z',
      lastUsedAt: '2026-03-15T08:11:00.000Z',
      expiresAt: '2026-04-13T09:26:53.589Z',
      address: '203.0.113.7',
      browser: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    },
  });
export type OwnSession = z.output<typeof OwnSession>;

export const PasswordChange = z
  .object({
    currentPassword: GivenPassword.meta({ description: 'Password that the user has now.' }),
    newPassword: NewPassword,
  })
  .meta({ id: 'PasswordChange' });

export const signInErrors = [
  'provider_unavailable',
  'provider_refused',
  'unverified_email',
  'domain_not_allowed',
  'expired',
  'failed',
] as const;
/** Why single sign-on failed: the query parameter `error` of the sign-in page. */
export type SignInError = (typeof signInErrors)[number];

export const SignInOptions = z
  .object({
    singleSignOn: z.boolean().meta({
      description:
        'Whether `/sign-in/oidc?next=<path>` on the port of the web interface leads to an identity provider.',
    }),
  })
  .meta({ id: 'SignInOptions', example: { singleSignOn: true } });

const tag = 'Sessions';
const shared = { tag, params: NoParams, query: NoQuery } as const;

export const createSession = operation({
  ...shared,
  name: 'createSession',
  summary: 'Sign in',
  description:
    'Sets the session cookie. Every failure has the same text. ' +
    'After 5 failures of an account or 20 of an address within 15 minutes, the response is 429. ' +
    'All session operations work on the port of the web interface only. ' +
    'Changes by a session need the header `X-Sightline: 1` and an `Origin` of the interface.',
  scope: 'session:write',
  anonymous: true,
  object: { kind: 'session' },
  body: SignIn,
  result: Session,
  faults: ['forbidden'],
  example: { email: 'ada@example.com', password: 'EXAMPLE-NOT-A-PASSWORD' },
});
export const getSession = operation({
  ...shared,
  name: 'getSession',
  summary: 'Get the session of the request',
  description: 'Returns the user with role, scopes and ids. Without a session: 401.',
  scope: 'session:read',
  object: { kind: 'session' },
  body: NoBody,
  result: Session,
  versioned: false,
  faults: ['forbidden'],
});
export const deleteSession = operation({
  ...shared,
  name: 'deleteSession',
  summary: 'Sign out',
  description: 'Ends the session of the request and removes its cookie.',
  scope: 'session:write',
  object: { kind: 'session' },
  body: NoBody,
  result: NoBody,
  faults: ['forbidden'],
});
export const listSessions = operation({
  ...shared,
  name: 'listSessions',
  summary: "List the user's own sessions",
  description: 'Returns the sessions that have not ended, newest first.',
  scope: 'session:read',
  object: { kind: 'session' },
  body: NoBody,
  result: z.array(OwnSession),
  faults: ['forbidden'],
});
export const endSession = operation({
  ...shared,
  name: 'endSession',
  summary: "End one of the user's own sessions",
  description: 'Takes effect immediately.',
  scope: 'session:write',
  object: { kind: 'session', id: 'id' },
  params: IdParams,
  body: NoBody,
  result: NoBody,
  faults: ['forbidden', 'not_found'],
});
export const changePassword = operation({
  ...shared,
  name: 'changePassword',
  summary: "Change the user's own password",
  description: 'Ends all other sessions of the user. Access keys stay valid.',
  scope: 'session:write',
  object: { kind: 'user' },
  body: PasswordChange,
  result: NoBody,
  faults: ['forbidden'],
  example: {
    currentPassword: 'EXAMPLE-NOT-A-PASSWORD',
    newPassword: 'EXAMPLE-NOT-A-NEW-PASSWORD',
  },
});
export const getSignInOptions = operation({
  ...shared,
  name: 'getSignInOptions',
  summary: 'Get the ways to sign in',
  description:
    'After a failed single sign-on, the sign-in page has the query parameter `error`: ' +
    `${signInErrors.join(', ')}.`,
  scope: 'session:read',
  anonymous: true,
  object: { kind: 'session' },
  body: NoBody,
  result: SignInOptions,
  versioned: false,
  faults: ['forbidden'],
});
