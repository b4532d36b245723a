import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from './api/api-error.ts';
import { queries } from './api/query-client.ts';
import { isWithoutRows } from './api/queries/first-row.ts';
import { sessionQuery } from './api/queries/session.ts';
import { readSearchParams } from './screens/search/params.ts';
import { readSignInParams } from './screens/sign-in/params.ts';
import { readTraceParams } from './screens/trace/params.ts';
import { BrokenPage, MissingPage } from './shell/pages.tsx';
import { Root } from './shell/root.tsx';
import { Shell } from './shell/shell.tsx';
import { parseSearch, stringifySearch } from './view/url-state.ts';

/** The only list of routes and of their search parameters. */

const root = createRootRoute({
  component: Root,
  notFoundComponent: MissingPage,
  errorComponent: BrokenPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInParams,
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
});

/** The link of a new member leads here. Its token is in the fragment, which no server sees. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./screens/sign-in/join.tsx'), 'Join'),
});

/** Every screen that needs a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true });
      }
      throw error;
    }
  },
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: async () => {
    throw redirect({ to: (await isWithoutRows()) ? '/welcome' : '/search', replace: true });
  },
});

const search = createRoute({
  getParentRoute: () => inside,
  path: '/search',
  validateSearch: readSearchParams,
  component: lazyRouteComponent(() => import('./screens/search/search.tsx'), 'Search'),
});

const trace = createRoute({
  getParentRoute: () => inside,
  path: '/traces/$traceId',
  validateSearch: readTraceParams,
  component: lazyRouteComponent(() => import('./screens/trace/trace.tsx'), 'Trace'),
});

const welcome = createRoute({
  getParentRoute: () => inside,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./screens/welcome/welcome.tsx'), 'Welcome'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'Settings'),
});

const preferences = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/settings/preferences.tsx'), 'Preferences'),
});

const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  component: lazyRouteComponent(() => import('./screens/settings/team.tsx'), 'Team'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('./screens/settings/members.tsx'), 'Members'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyRouteComponent(() => import('./screens/settings/keys.tsx'), 'AccessKeys'),
});

const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./screens/settings/sessions.tsx'), 'Sessions'),
});

const settingsPages = [preferences, team, members, keys, sessions];

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    join,
    inside.addChildren([home, search, trace, welcome, settings.addChildren(settingsPages)]),
  ]),
  parseSearch,
  stringifySearch,
  search: { strict: true },
  defaultPreload: false,
  defaultErrorComponent: BrokenPage,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
