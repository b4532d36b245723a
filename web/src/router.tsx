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
import { readAlertParams } from './screens/alert/params.ts';
import { readMaintenanceParams } from './screens/alerts/maintenance/params.ts';
import { readAlertsParams } from './screens/alerts/params.ts';
import { readNewAlertParams } from './screens/alert-editor/params.ts';
import { readDashboardParams } from './screens/dashboard/params.ts';
import { readDashboardsParams } from './screens/dashboards/params.ts';
import { readExploreParams } from './screens/explore/params.ts';
import { readOrganizationParams } from './screens/organization/params.ts';
import { readMetricsParams } from './screens/metrics/params.ts';
import { readAddress } from './screens/search/address.ts';
import { readPipeParams } from './screens/pipe/params.ts';
import { readNewPipeParams } from './screens/pipe-new/params.ts';
import { readPipesParams } from './screens/pipes/params.ts';
import { readSearchParams } from './screens/search/params.ts';
import { readListParams } from './screens/settings/params.ts';
import { readSourcesParams } from './screens/settings/sources/params.ts';
import { readServicesParams } from './screens/services/params.ts';
import { readSignInParams } from './screens/sign-in/params.ts';
import { readTraceParams } from './screens/trace/params.ts';
import { readWebhookParams } from './screens/webhooks/params.ts';
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
  beforeLoad: async ({ search: params }) => ({ address: await readAddress(params) }),
  component: lazyRouteComponent(() => import('./screens/search/search.tsx'), 'Search'),
});

const explore = createRoute({
  getParentRoute: () => inside,
  path: '/explore',
  validateSearch: readExploreParams,
  component: lazyRouteComponent(() => import('./screens/explore/explore.tsx'), 'Explore'),
});

const metrics = createRoute({
  getParentRoute: () => inside,
  path: '/metrics',
  validateSearch: readMetricsParams,
  component: lazyRouteComponent(() => import('./screens/metrics/metrics.tsx'), 'Metrics'),
});

const services = createRoute({
  getParentRoute: () => inside,
  path: '/services',
  validateSearch: readServicesParams,
  component: lazyRouteComponent(() => import('./screens/services/services.tsx'), 'Services'),
});

const trace = createRoute({
  getParentRoute: () => inside,
  path: '/traces/$traceId',
  validateSearch: readTraceParams,
  component: lazyRouteComponent(() => import('./screens/trace/trace.tsx'), 'Trace'),
});

const dashboards = createRoute({
  getParentRoute: () => inside,
  path: '/dashboards',
  validateSearch: readDashboardsParams,
  component: lazyRouteComponent(() => import('./screens/dashboards/dashboards.tsx'), 'Dashboards'),
});

const dashboard = createRoute({
  getParentRoute: () => inside,
  path: '/dashboards/$id',
  validateSearch: readDashboardParams,
  component: lazyRouteComponent(() => import('./screens/dashboard/dashboard.tsx'), 'Dashboard'),
});

const alerts = createRoute({
  getParentRoute: () => inside,
  path: '/alerts',
  validateSearch: readAlertsParams,
  component: lazyRouteComponent(() => import('./screens/alerts/alerts.tsx'), 'Alerts'),
});

const maintenance = createRoute({
  getParentRoute: () => inside,
  path: '/alerts/maintenance',
  validateSearch: readMaintenanceParams,
  component: lazyRouteComponent(
    () => import('./screens/alerts/maintenance/maintenance.tsx'),
    'Maintenance',
  ),
});

/** Messages of alerts link here. */
const alert = createRoute({
  getParentRoute: () => inside,
  path: '/alerts/$id',
  validateSearch: readAlertParams,
  component: lazyRouteComponent(() => import('./screens/alert/alert.tsx'), 'Alert'),
});

const newAlert = createRoute({
  getParentRoute: () => inside,
  path: '/alerts/new',
  validateSearch: readNewAlertParams,
  component: lazyRouteComponent(() => import('./screens/alert-editor/new-alert.tsx'), 'NewAlert'),
});

const editAlert = createRoute({
  getParentRoute: () => inside,
  path: '/alerts/$id/edit',
  component: lazyRouteComponent(() => import('./screens/alert-editor/edit-alert.tsx'), 'EditAlert'),
});

const pipes = createRoute({
  getParentRoute: () => inside,
  path: '/pipes',
  validateSearch: readPipesParams,
  component: lazyRouteComponent(() => import('./screens/pipes/pipes.tsx'), 'Pipes'),
});

const newPipe = createRoute({
  getParentRoute: () => inside,
  path: '/pipes/new',
  validateSearch: readNewPipeParams,
  component: lazyRouteComponent(() => import('./screens/pipe-new/new-pipe.tsx'), 'NewPipe'),
});

const pipe = createRoute({
  getParentRoute: () => inside,
  path: '/pipes/$id',
  validateSearch: readPipeParams,
  component: lazyRouteComponent(() => import('./screens/pipe/pipe.tsx'), 'Pipe'),
});

const health = createRoute({
  getParentRoute: () => inside,
  path: '/health',
  component: lazyRouteComponent(() => import('./screens/health/health.tsx'), 'Health'),
});

const organization = createRoute({
  getParentRoute: () => inside,
  path: '/organization',
  validateSearch: readOrganizationParams,
  component: lazyRouteComponent(
    () => import('./screens/organization/organization.tsx'),
    'Organization',
  ),
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
  validateSearch: readListParams,
  component: lazyRouteComponent(() => import('./screens/settings/members.tsx'), 'Members'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  validateSearch: readListParams,
  component: lazyRouteComponent(() => import('./screens/settings/keys.tsx'), 'AccessKeys'),
});

const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./screens/settings/sessions.tsx'), 'Sessions'),
});

const sources = createRoute({
  getParentRoute: () => settings,
  path: '/sources',
  validateSearch: readSourcesParams,
  component: lazyRouteComponent(() => import('./screens/settings/sources/sources.tsx'), 'Sources'),
});

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
});

const newWebhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/new',
  component: lazyRouteComponent(() => import('./screens/webhooks/new-webhook.tsx'), 'NewWebhook'),
});

const webhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/$id',
  validateSearch: readWebhookParams,
  component: lazyRouteComponent(() => import('./screens/webhooks/webhook.tsx'), 'WebhookPage'),
});

const settingsPages = [
  preferences,
  team,
  members,
  sources,
  keys,
  sessions,
  webhooks,
  newWebhook,
  webhook,
];

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    join,
    inside.addChildren([
      home,
      search,
      trace,
      services,
      dashboards,
      dashboard,
      explore,
      metrics,
      alerts,
      maintenance,
      alert,
      newAlert,
      editAlert,
      pipes,
      newPipe,
      pipe,
      health,
      organization,
      welcome,
      settings.addChildren(settingsPages),
    ]),
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
