import { z } from 'zod';
import { acknowledgeAlert, unacknowledgeAlert } from '../../contract/alert/acknowledge.ts';
import {
  getAlertHistory,
  silenceAlert,
  unsilenceAlert,
} from '../../contract/alert/alert-history.ts';
import { listAlertDeliveries } from '../../contract/alert/delivery.ts';
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
import { listActivities } from '../../contract/audit.ts';
import { Uuid } from '../../contract/common.ts';
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  updateDashboard,
  validateDashboard,
} from '../../contract/dashboard/dashboard.ts';
import { faultCodes } from '../../contract/errors.ts';
import { createKey, deleteKey, getKey, listKeys, updateKey } from '../../contract/key.ts';
import {
  createService,
  getOrganization,
  getService,
  listOrganizations,
  listServices,
  updateOrganization,
  updateService,
} from '../../contract/organization.ts';
import {
  changeCdcScaling,
  changePipeScaling,
  changePipeSettings,
  changePipeState,
  createPipe,
  deletePipe,
  getCdcScaling,
  getPipe,
  getPipeMetrics,
  getPipeSettings,
  listPipeErrors,
  listPipes,
  updatePipe,
} from '../../contract/pipe/pipe.ts';
import { getPipeReplay, replayPipeErrors } from '../../contract/pipe/pipe-replay.ts';
import { checkPipe, discoverPipe } from '../../contract/pipe/pipe-draft.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  getSavedSearch,
  listSavedSearches,
  updateSavedSearch,
} from '../../contract/saved-search.ts';
import { listSources } from '../../contract/source.ts';
import { getStatus } from '../../contract/status.ts';
import type { BasicAuthenticator } from '../auth/basic.ts';
import { fieldError, fieldErrors } from '../openapi/field-errors.ts';
import { partialComponents, partialMember, partialSchema } from '../openapi/partial-result.ts';
import { bodyRules } from './body-rules.ts';
import type { Route, Surface, SurfaceDescription, VerbsOf } from '../surface.ts';

const organization = '/organizations/{organizationId}';
const service = `${organization}/services/{serviceId}` as const;
const stack = `${service}/stack` as const;
const pipe = `${service}/pipes/{pipeId}` as const;

export const managedRoutes = [
  ['GET', '/organizations', listOrganizations],
  ['GET', organization, getOrganization],
  ['PATCH', organization, updateOrganization],
  ['GET', `${organization}/services`, listServices],
  ['POST', `${organization}/services`, createService],
  ['GET', service, getService],
  ['PATCH', service, updateService],
  ['GET', `${service}/status`, getStatus],
  ['GET', `${organization}/activities`, listActivities],

  ['GET', `${organization}/keys`, listKeys],
  ['POST', `${organization}/keys`, createKey],
  ['GET', `${organization}/keys/{keyId}`, getKey],
  ['PATCH', `${organization}/keys/{keyId}`, updateKey],
  ['DELETE', `${organization}/keys/{keyId}`, deleteKey],

  ['GET', `${stack}/dashboards`, listDashboards],
  ['POST', `${stack}/dashboards`, createDashboard],
  ['POST', `${stack}/dashboards/validate`, validateDashboard],
  ['GET', `${stack}/dashboards/{id}`, getDashboard],
  ['PUT', `${stack}/dashboards/{id}`, updateDashboard],
  ['DELETE', `${stack}/dashboards/{id}`, deleteDashboard],
  ['GET', `${stack}/alerts`, listAlerts],
  ['POST', `${stack}/alerts`, createAlert],
  ['GET', `${stack}/alerts/{id}`, getAlert],
  ['PUT', `${stack}/alerts/{id}`, updateAlert],
  ['DELETE', `${stack}/alerts/{id}`, deleteAlert],
  ['POST', `${stack}/alerts/preview`, previewAlert],
  ['GET', `${stack}/alerts/{id}/history`, getAlertHistory],
  ['GET', `${stack}/alerts/{id}/deliveries`, listAlertDeliveries],
  ['GET', `${stack}/alerts/{id}/explain`, explainAlert],
  ['POST', `${stack}/alerts/{id}/silence`, silenceAlert],
  ['DELETE', `${stack}/alerts/{id}/silence`, unsilenceAlert],
  ['POST', `${stack}/alerts/{id}/acknowledge`, acknowledgeAlert],
  ['DELETE', `${stack}/alerts/{id}/acknowledge`, unacknowledgeAlert],
  ['GET', `${stack}/maintenance-windows`, listMaintenanceWindows],
  ['POST', `${stack}/maintenance-windows`, createMaintenanceWindow],
  ['GET', `${stack}/maintenance-windows/{id}`, getMaintenanceWindow],
  ['PUT', `${stack}/maintenance-windows/{id}`, updateMaintenanceWindow],
  ['DELETE', `${stack}/maintenance-windows/{id}`, deleteMaintenanceWindow],
  ['GET', `${stack}/sources`, listSources],
  ['GET', `${stack}/saved-searches`, listSavedSearches],
  ['POST', `${stack}/saved-searches`, createSavedSearch],
  ['GET', `${stack}/saved-searches/{id}`, getSavedSearch],
  ['PUT', `${stack}/saved-searches/{id}`, updateSavedSearch],
  ['DELETE', `${stack}/saved-searches/{id}`, deleteSavedSearch],

  ['GET', `${service}/pipesCdcScaling`, getCdcScaling],
  ['PATCH', `${service}/pipesCdcScaling`, changeCdcScaling],
  ['GET', `${service}/pipes`, listPipes],
  ['POST', `${service}/pipes`, createPipe],
  ['POST', `${service}/pipes/check`, checkPipe],
  ['POST', `${service}/pipes/discover`, discoverPipe],
  ['GET', pipe, getPipe],
  ['PATCH', pipe, updatePipe],
  ['DELETE', pipe, deletePipe],
  ['PATCH', `${pipe}/state`, changePipeState],
  ['PATCH', `${pipe}/scaling`, changePipeScaling],
  ['GET', `${pipe}/settings`, getPipeSettings],
  ['PUT', `${pipe}/settings`, changePipeSettings],
  ['GET', `${pipe}/metrics`, getPipeMetrics],
  ['GET', `${pipe}/errors`, listPipeErrors],
  ['GET', `${pipe}/errors/replay`, getPipeReplay],
  ['POST', `${pipe}/errors/replay`, replayPipeErrors],
] as const satisfies readonly Route[];

const requestId = {
  type: 'string',
  format: 'uuid',
  description: 'Id of the request, the same as in the `X-Request-Id` header.',
};

const deletionNotice = {
  type: 'string',
  description:
    'Steps that the deletion has not finished, and the action to take. Absent if it is complete.',
};

const codeWords = [...new Set(Object.values(faultCodes).map(({ word }) => word))];

/** The managed deployment, described: what its reference is made of. */
export const managedDescription: SurfaceDescription = {
  name: 'managed',
  title: 'Sightline managed API',
  description: [
    'Organizations, services, API keys, ingestion pipes, and the dashboards, alerts and sources of a service.',
    'Authenticate with an API key of the organization:',
    'HTTP Basic with the key id as user name and the key secret as password.',
    bodyRules,
  ].join(' '),
  basePath: '/v1',
  routes: managedRoutes,
  pathParams: z.object({ organizationId: Uuid, serviceId: Uuid }),
  security: {
    name: 'apiKey',
    scheme: {
      type: 'http',
      scheme: 'basic',
      description: 'Key id as user name and key secret as password',
    },
  },

  successSchema: (result, { isMeasured }) => ({
    type: 'object',
    properties: {
      status: { type: 'integer', const: 200 },
      requestId,
      ...(result ? { result } : { message: deletionNotice }),
      ...(isMeasured && { partial: partialSchema }),
    },
    required: ['status', 'requestId', ...(result ? ['result'] : [])],
  }),

  components: {
    ...partialComponents,
    Error: {
      type: 'object',
      properties: {
        status: { type: 'integer', description: 'HTTP status.' },
        requestId,
        error: {
          type: 'string',
          description: `A code word, a colon and a message. Code words: ${codeWords.join(', ')}`,
          example: 'NOT_FOUND: key not found',
        },
        errors: fieldErrors,
      },
      required: ['status', 'requestId', 'error'],
    },
    FieldError: fieldError,
  },

  ok(result, outcome, requestId) {
    const { notice } = outcome;
    const message = notice === undefined ? '' : `,"message":${JSON.stringify(notice)}`;
    const inner = result === undefined ? message : `,"result":${result}${partialMember(outcome)}`;
    return `{"status":200,"requestId":"${requestId}"${inner}}`;
  },
  error: ({ message, code, issues }, { status, requestId }) => ({
    status,
    requestId,
    error: `${faultCodes[code].word}: ${message}`,
    ...(issues && { errors: issues }),
  }),
};

export interface ManagedSurfaceOptions {
  verbs: VerbsOf<typeof managedRoutes>;
  authenticator: Pick<BasicAuthenticator, 'authenticate'>;
}

/** `/v1`: organization API keys, `{status, requestId, result}` around results. */
export function managedSurface({ verbs, authenticator }: ManagedSurfaceOptions): Surface {
  return {
    ...managedDescription,
    verbs: { ...verbs },
    challenge: 'Basic realm="sightline", charset="UTF-8"',
    authenticate: (incoming) => authenticator.authenticate(incoming),
  };
}
