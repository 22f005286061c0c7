// The calls about who is on call: rota, alarms, pushes, webhooks.
import { callApi } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type OnCallState = Schemas['OnCall'];
export type Rota = Schemas['Rota'];
export type RotaShift = Schemas['RotaShift'];
export type RotaSpan = Schemas['RotaSpan'];
export type OnCallPerson = Schemas['OnCallPerson'];
export type NewOverride = Schemas['NewOverride'];
export type AlarmItem = Schemas['AlarmItem'];
export type PushDevices = Schemas['PushDevices'];
export type Webhook = Schemas['Webhook'];
export type WebhookSettings = Schemas['WebhookSettings'];
export type WebhookDelivery = Schemas['WebhookDelivery'];

const base = '/api/admin/on-call';

export const readOnCall = (token: string) => callApi<OnCallState>(base, { token });

export const replaceRota = (token: string, rota: Rota) =>
  callApi<OnCallState>(`${base}/rota`, { method: 'PUT', token, body: rota });

export const addOverrides = (token: string, overrides: NewOverride[]) =>
  callApi<OnCallState>(`${base}/overrides`, { method: 'POST', token, body: { overrides } });

export const removeOverride = (token: string, id: number) =>
  callApi<OnCallState>(`${base}/overrides/${id}`, { method: 'DELETE', token });

export const setPhone = (token: string, person: string, phone: string) =>
  callApi<OnCallState>(`${base}/people/${person}/phone`, { method: 'PUT', token, body: { phone } });

export const renewCalendar = (token: string) =>
  callApi<OnCallState>(`${base}/calendar`, { method: 'POST', token });

type Alarms = { alarms: AlarmItem[] };

export const listAlarms = (token: string) => callApi<Alarms>('/api/admin/alarms', { token });

/** To the person on call, or to `person` alone. */
export const testAlarm = (token: string, person?: string) =>
  callApi<Alarms>(`/api/admin/alarms/test${person ? `?person=${encodeURIComponent(person)}` : ''}`, {
    method: 'POST',
    token,
  });

export const acknowledgeAlarm = (token: string, id: number) =>
  callApi<Alarms>(`/api/admin/alarms/${id}/acknowledge`, { method: 'POST', token });

const push = '/api/admin/push';

export const listPushDevices = (token: string) => callApi<PushDevices>(push, { token });

export const subscribeToPush = (token: string, subscription: PushSubscriptionJSON) =>
  callApi<PushDevices>(push, { method: 'PUT', token, body: subscription });

export const unsubscribeFromPush = (token: string, device: string) =>
  callApi<PushDevices>(`${push}/remove`, { method: 'POST', token, body: { device } });

export const testPush = (token: string) =>
  callApi<{ sent: number; failed: string[] }>(`${push}/test`, { method: 'POST', token });

const webhooks = '/api/admin/webhooks';

export const listWebhooks = (token: string) =>
  callApi<{ webhooks: Webhook[]; events: string[] }>(webhooks, { token });

type Secret = { id: string; secret: string };

export const addWebhook = (token: string, settings: WebhookSettings) =>
  callApi<Secret>(webhooks, { method: 'POST', token, body: settings });

export const changeWebhook = (token: string, id: string, settings: WebhookSettings) =>
  callApi<unknown>(`${webhooks}/${id}`, { method: 'PUT', token, body: settings });

export const removeWebhook = (token: string, id: string) =>
  callApi<unknown>(`${webhooks}/${id}`, { method: 'DELETE', token });

export const rotateWebhookSecret = (token: string, id: string) =>
  callApi<Secret>(`${webhooks}/${id}/secret`, { method: 'POST', token });

export const listDeliveries = (token: string, webhook: string) =>
  callApi<{ deliveries: WebhookDelivery[] }>(`${webhooks}/deliveries?webhook=${webhook}`, { token });

export const replayDelivery = (token: string, id: number) =>
  callApi<void>(`${webhooks}/deliveries/${id}/replay`, { method: 'POST', token });
