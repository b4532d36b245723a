import { acknowledgeAlert, unacknowledgeAlert } from '../../contract/alert/acknowledge.ts';
import {
  getAlertHistory,
  silenceAlert,
  unsilenceAlert,
} from '../../contract/alert/alert-history.ts';
import { listAlertDeliveries, listWebhookDeliveries } from '../../contract/alert/delivery.ts';
import { listAlerts } from '../../contract/alert/alert-list.ts';
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  getMaintenanceWindow,
  listMaintenanceWindows,
  updateMaintenanceWindow,
} from '../../contract/alert/maintenance.ts';
import { explainAlert } from '../../contract/alert/explain.ts';
import { previewAlert } from '../../contract/alert/alert-preview.ts';
import { createAlert, deleteAlert, getAlert, updateAlert } from '../../contract/alert/alert.ts';
import { queryBatch } from '../../contract/query/batch.ts';
import { querySeries } from '../../contract/query/chart.ts';
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  listDashboardSummaries,
  updateDashboard,
  validateDashboard,
} from '../../contract/dashboard/dashboard.ts';
import { getDemo, startDemo, stopDemo } from '../../contract/demo.ts';
import { Fault, faultCodes } from '../../contract/errors.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  getSavedSearch,
  listSavedSearches,
  updateSavedSearch,
} from '../../contract/saved-search.ts';
import { explainSearch, explainSeries } from '../../contract/query/explain.ts';
import { exportRows } from '../../contract/query/export.ts';
import { queryFacets } from '../../contract/query/facets.ts';
import { listMetrics } from '../../contract/query/metrics.ts';
import { searchRow, searchRows } from '../../contract/query/search.ts';
import { queryServiceMap } from '../../contract/query/service-map.ts';
import { queryTotals } from '../../contract/query/totals.ts';
import { getTrace } from '../../contract/query/trace.ts';
import {
  createSource,
  deleteSource,
  getSource,
  listSourceFields,
  listSources,
  updateSource,
} from '../../contract/source.ts';
import { getStatus } from '../../contract/status.ts';
import { checkSource, listSourceTables } from '../../contract/source-check.ts';
import { listSourceTimes } from '../../contract/source-times.ts';
import {
  createAccessKey,
  deleteAccessKey,
  getIngestionEndpoints,
  getIngestionKey,
  getTeam,
  listAccessKeys,
  rotateIngestionKey,
  updateTeam,
} from '../../contract/team.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from '../../contract/webhook/webhook.ts';
import { testWebhook, testWebhookDraft } from '../../contract/webhook/webhook-test.ts';
import type { Authenticator } from '../auth/bearer.ts';
import {
  acceptMemberLink,
  createMember,
  createMemberLink,
  deleteMember,
  listMembers,
  updateMember,
} from '../../contract/people/member.ts';
import {
  changePassword,
  createSession,
  deleteSession,
  endSession,
  getSession,
  getSignInOptions,
  listSessions,
} from '../../contract/people/session.ts';
import { fieldError, fieldErrors } from '../openapi/field-errors.ts';
import { partialComponents, partialMember, partialSchema } from '../openapi/partial-result.ts';
import { bodyRules } from './body-rules.ts';
import type { Route, Surface, SurfaceDescription, VerbsOf } from '../surface.ts';

export const openRoutes = [
  ['GET', '/dashboards', listDashboards],
  ['POST', '/dashboards', createDashboard],
  ['GET', '/dashboards/summaries', listDashboardSummaries],
  ['POST', '/dashboards/validate', validateDashboard],
  ['GET', '/dashboards/{id}', getDashboard],
  ['PUT', '/dashboards/{id}', updateDashboard],
  ['DELETE', '/dashboards/{id}', deleteDashboard],
  ['GET', '/alerts', listAlerts],
  ['POST', '/alerts', createAlert],
  ['GET', '/alerts/{id}', getAlert],
  ['PUT', '/alerts/{id}', updateAlert],
  ['DELETE', '/alerts/{id}', deleteAlert],
  ['POST', '/alerts/preview', previewAlert],
  ['GET', '/alerts/{id}/history', getAlertHistory],
  ['GET', '/alerts/{id}/deliveries', listAlertDeliveries],
  ['GET', '/alerts/{id}/explain', explainAlert],
  ['POST', '/alerts/{id}/silence', silenceAlert],
  ['DELETE', '/alerts/{id}/silence', unsilenceAlert],
  ['POST', '/alerts/{id}/acknowledge', acknowledgeAlert],
  ['DELETE', '/alerts/{id}/acknowledge', unacknowledgeAlert],
  ['GET', '/maintenance-windows', listMaintenanceWindows],
  ['POST', '/maintenance-windows', createMaintenanceWindow],
  ['GET', '/maintenance-windows/{id}', getMaintenanceWindow],
  ['PUT', '/maintenance-windows/{id}', updateMaintenanceWindow],
  ['DELETE', '/maintenance-windows/{id}', deleteMaintenanceWindow],
  ['POST', '/charts/series', querySeries],
  ['POST', '/charts/totals', queryTotals],
  ['POST', '/charts/batch', queryBatch],
  ['POST', '/charts/explain', explainSeries],
  ['POST', '/search', searchRows],
  ['POST', '/search/row', searchRow],
  ['POST', '/search/facets', queryFacets],
  ['POST', '/search/export', exportRows],
  ['POST', '/search/explain', explainSearch],
  ['GET', '/traces/{traceId}', getTrace],
  ['POST', '/services/map', queryServiceMap],
  ['GET', '/sources', listSources],
  ['POST', '/sources', createSource],
  ['GET', '/sources/tables', listSourceTables],
  ['GET', '/sources/times', listSourceTimes],
  ['POST', '/sources/check', checkSource],
  ['GET', '/sources/{id}', getSource],
  ['PUT', '/sources/{id}', updateSource],
  ['DELETE', '/sources/{id}', deleteSource],
  ['GET', '/sources/{id}/fields', listSourceFields],
  ['GET', '/sources/{id}/metrics', listMetrics],
  ['GET', '/webhooks', listWebhooks],
  ['POST', '/webhooks', createWebhook],
  ['GET', '/webhooks/{id}', getWebhook],
  ['PUT', '/webhooks/{id}', updateWebhook],
  ['DELETE', '/webhooks/{id}', deleteWebhook],
  ['POST', '/webhooks/{id}/test', testWebhook],
  ['POST', '/webhooks/test', testWebhookDraft],
  ['GET', '/webhooks/{id}/deliveries', listWebhookDeliveries],
  ['GET', '/saved-searches', listSavedSearches],
  ['POST', '/saved-searches', createSavedSearch],
  ['GET', '/saved-searches/{id}', getSavedSearch],
  ['PUT', '/saved-searches/{id}', updateSavedSearch],
  ['DELETE', '/saved-searches/{id}', deleteSavedSearch],
  ['POST', '/session', createSession],
  ['GET', '/session', getSession],
  ['DELETE', '/session', deleteSession],
  ['GET', '/session/options', getSignInOptions],
  ['PUT', '/session/password', changePassword],
  ['POST', '/session/link', acceptMemberLink],
  ['GET', '/sessions', listSessions],
  ['DELETE', '/sessions/{id}', endSession],
  ['GET', '/team', getTeam],
  ['PATCH', '/team', updateTeam],
  ['GET', '/team/members', listMembers],
  ['POST', '/team/members', createMember],
  ['PATCH', '/team/members/{id}', updateMember],
  ['DELETE', '/team/members/{id}', deleteMember],
  ['POST', '/team/members/{id}/link', createMemberLink],
  ['GET', '/team/access-keys', listAccessKeys],
  ['POST', '/team/access-keys', createAccessKey],
  ['DELETE', '/team/access-keys/{id}', deleteAccessKey],
  ['GET', '/team/ingestion-key', getIngestionKey],
  ['POST', '/team/ingestion-key/rotate', rotateIngestionKey],
  ['GET', '/team/ingestion-endpoints', getIngestionEndpoints],
  ['GET', '/status', getStatus],
  ['GET', '/demo', getDemo],
  ['POST', '/demo', startDemo],
  ['DELETE', '/demo', stopDemo],
] as const satisfies readonly Route[];

const count = { type: 'integer', minimum: 0 };

const underCharts = /^\/api\/v2\/charts(?:\/|$)/;

/** The open-source deployment, described: what its reference is made of. */
export const openDescription: SurfaceDescription = {
  name: 'open-source',
  title: 'Sightline API',
  description: [
    'Dashboards, alerts, charts, searches and data sources of a team.',
    'Authenticate with a personal API access key: `Authorization: Bearer <key>`.',
    bodyRules,
  ].join(' '),
  basePath: '/api/v2',
  routes: openRoutes,
  security: {
    name: 'accessKey',
    scheme: { type: 'http', scheme: 'bearer', description: 'Personal API access key of a user' },
  },

  successSchema(result, { isList, isMeasured }) {
    if (!result) {
      return { type: 'object', maxProperties: 0 };
    }
    const meta = { $ref: '#/components/schemas/PageMeta' };
    return {
      type: 'object',
      properties: {
        data: result,
        ...(isList && { meta }),
        ...(isMeasured && { partial: partialSchema }),
      },
      required: isList ? ['data', 'meta'] : ['data'],
    };
  },

  components: {
    ...partialComponents,
    Error: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'What failed, why, and what to do.' },
        code: {
          type: 'string',
          enum: Object.keys(faultCodes),
          description: 'Code of the error.',
        },
        requestId: {
          type: 'string',
          format: 'uuid',
          description: 'Id of the request, the same as in the `X-Request-Id` header.',
        },
        errors: fieldErrors,
        error: { type: 'string', description: 'Same text as `message`. Only under /charts.' },
      },
      required: ['message', 'code', 'requestId'],
    },
    FieldError: fieldError,
    PageMeta: {
      type: 'object',
      properties: { total: count, limit: count, offset: count },
      required: ['total', 'limit', 'offset'],
    },
  },

  ok(result, outcome) {
    if (result === undefined) {
      return '{}';
    }
    const meta = outcome.page ? `,"meta":${JSON.stringify(outcome.page)}` : '';
    return `{"data":${result}${meta}${partialMember(outcome)}}`;
  },
  error: ({ message, code, issues }, { requestId, path }) => ({
    message,
    code,
    requestId,
    ...(issues && { errors: issues }),
    ...(underCharts.test(path) && { error: message }),
  }),
};

export interface OpenSurfaceOptions {
  verbs: VerbsOf<typeof openRoutes>;
  authenticator: Pick<Authenticator, 'authenticate'>;
}

/** `/api/v2`: personal access keys, `{data}` around results. */
export function openSurface({ verbs, authenticator }: OpenSurfaceOptions): Surface {
  return {
    ...openDescription,
    verbs: { ...verbs },
    challenge: 'Bearer realm="sightline"',
    authenticate(incoming) {
      if (incoming.operation.anonymous === true) {
        throw new Fault(
          'forbidden',
          'sign in on the port of the web interface (SIGHTLINE_UI_PORT), or send an access key',
        );
      }
      return authenticator.authenticate(incoming);
    },
  };
}
