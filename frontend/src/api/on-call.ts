// The calls about who is on call: rota, alarms, pushes, webhooks.
import { callApi, post, put, remove } from './admin-client';
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
  callApi<OnCallState>(`${base}/rota`, put(token, rota));

export const addOverrides = (token: string, overrides: NewOverride[]) =>
  callApi<OnCallState>(`${base}/overrides`, post(token, { overrides }));

export const removeOverride = (token: string, id: number) =>
  callApi<OnCallState>(`${base}/overrides/${id}`, remove(token));

export const setPhone = (token: string, person: string, phone: string) =>
  callApi<OnCallState>(`${base}/people/${person}/phone`, put(token, { phone }));

export const renewCalendar = (token: string) => callApi<OnCallState>(`${base}/calendar`, post(token));

type Alarms = { alarms: AlarmItem[] };

export const listAlarms = (token: string) => callApi<Alarms>('/api/admin/alarms', { token });

/** To the person on call, or to `person` alone. */
export const testAlarm = (token: string, person?: string) =>
  callApi<Alarms>(
    `/api/admin/alarms/test${person ? `?person=${encodeURIComponent(person)}` : ''}`,
    post(token),
  );

export const acknowledgeAlarm = (token: string, id: number) =>
  callApi<Alarms>(`/api/admin/alarms/${id}/acknowledge`, post(token));

const push = '/api/admin/push';

export const listPushDevices = (token: string) => callApi<PushDevices>(push, { token });

export const subscribeToPush = (token: string, subscription: PushSubscriptionJSON) =>
  callApi<PushDevices>(push, put(token, subscription));

export const unsubscribeFromPush = (token: string, device: string) =>
  callApi<PushDevices>(`${push}/remove`, post(token, { device }));

export const testPush = (token: string) =>
  callApi<{ sent: number; failed: string[] }>(`${push}/test`, post(token));

const webhooks = '/api/admin/webhooks';

export const listWebhooks = (token: string) =>
  callApi<{ webhooks: Webhook[]; events: string[] }>(webhooks, { token });

type Secret = { id: string; secret: string };

export const addWebhook = (token: string, settings: WebhookSettings) =>
  callApi<Secret>(webhooks, post(token, settings));

export const changeWebhook = (token: string, id: string, settings: WebhookSettings) =>
  callApi<unknown>(`${webhooks}/${id}`, put(token, settings));

export const removeWebhook = (token: string, id: string) =>
  callApi<unknown>(`${webhooks}/${id}`, remove(token));

export const rotateWebhookSecret = (token: string, id: string) =>
  callApi<Secret>(`${webhooks}/${id}/secret`, post(token));

export const listDeliveries = (token: string, webhook: string) =>
  callApi<{ deliveries: WebhookDelivery[] }>(`${webhooks}/deliveries?webhook=${webhook}`, { token });

export const replayDelivery = (token: string, id: number) =>
  callApi<void>(`${webhooks}/deliveries/${id}/replay`, post(token));
