/** Machines that ask for a key pair: looked at, allowed and denied by whoever is signed in. */
import { allowDevice, denyDevice, getDevice } from '../flows/accounts/decide-device.ts';
import { ofAccount, type Route } from '../http/route.ts';
import { findMember } from '../http/sessions.ts';
import {
  AllowDevice,
  DecidedData,
  DeviceData,
  DeviceParams,
  toDeviceRequest,
} from '../resources/device-requests/device-requests.schema.ts';
import { contextOf, type OwnRequest } from './account-answers.ts';

const shared = { tag: 'device-requests', params: DeviceParams } as const;
/** Wrong codes are counted: they would let somebody in. */
const errors = ['not_found'] as const;

const get = ofAccount({
  ...shared,
  errors,
  method: 'GET',
  path: '/v0/device-requests/:userCode',
  operationId: 'getDeviceRequest',
  summary: 'Look at a machine that asks for a key pair',
  description: 'By the code that it shows. After 10 wrong codes in an hour no more are taken.',
  data: DeviceData,
  handler: async ({ service, session, params }) => {
    const { userCode } = params;
    return { deviceRequest: toDeviceRequest(await getDevice(service, { session, userCode })) };
  },
});

const allow = ofAccount({
  ...shared,
  errors: [...errors, 'workspace_not_found', 'workspace_suspended', 'insufficient_permission'],
  method: 'POST',
  path: '/v0/device-requests/:userCode/allow',
  operationId: 'allowDeviceRequest',
  summary: 'Let a machine have a key pair',
  description:
    'The machine fetches it once; it ends after 90 days. Never beyond your own permissions; without `scopes` it is what the ' +
    'machine asks for, else all of yours that needs no naming.',
  body: AllowDevice,
  data: DecidedData,
  needsFreshProof: true,
  example: { workspaceId: '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f', mode: 'test', scopes: ['orders:read'] },
  handler: async (request) => {
    const { session, params, client: visitor, body } = request;
    const { workspaceId, mode, scopes } = body;
    // Refuses a workspace of others, and one that asks for a second factor first.
    findMember(session, workspaceId);
    const testMode = mode === 'test';
    await allowDevice(toContext(request), { ...params, session, workspaceId, testMode, scopes, visitor });
    return {};
  },
});

const deny = ofAccount({
  ...shared,
  errors,
  method: 'POST',
  path: '/v0/device-requests/:userCode/deny',
  operationId: 'denyDeviceRequest',
  summary: 'Refuse a machine that asks for a key pair',
  data: DecidedData,
  handler: async (request) => {
    const { session, params, client: visitor } = request;
    await denyDevice(toContext(request), { ...params, session, visitor });
    return {};
  },
});

const toContext = (request: OwnRequest) => ({
  ...contextOf(request),
  realNowMs: () => request.service.realNowMs(),
});

export const deviceRequestRoutes: Route[] = [get, allow, deny];
