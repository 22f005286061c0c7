// The authentication service (/auth/v1), one function a call; nothing is kept here. Who keeps the session is admin/session.
import { ApiError, callApi, type Request } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Factor = Schemas['Factor'];

/** What is not set is left out of the answer, `factors` included. */
export type User = Pick<Schemas['User'], 'id' | 'email' | 'created_at'> & Partial<Schemas['User']>;

/** What proves who is calling; stored whole. Times in Unix seconds. */
export type Session = Omit<Schemas['Session'], 'user'> & { user: User };

/** One of the user's sessions, on this or another device. */
export type OwnSession = Schemas['OwnSession'];

/** The service's newer error format, `{code, message}`, is asked for by this header. */
const version = { 'X-Supabase-Api-Version': '2024-01-01' };

function auth<T>(path: string, request: Request = {}): Promise<T> {
  return callApi<T>(`/auth/v1${path}`, { ...request, headers: { ...version, ...request.headers } });
}

function post<T>(path: string, body: unknown, token?: string): Promise<T> {
  return auth<T>(path, { method: 'POST', body, ...(token ? { token } : {}) });
}

/** A call that opens or renews a session. A success without one is a fault of the server or of something before it. */
async function session(path: string, body: unknown, token?: string): Promise<Session> {
  const answer = await post<Partial<Session> | undefined>(path, body, token);
  if (answer?.access_token && answer.user) return answer as Session;
  throw new ApiError(500, 'invalid_token_response', 'Auth session or user missing');
}

/** Where mail links and identity providers lead back to. */
function redirectTo(): string {
  return `redirect_to=${encodeURIComponent(`${location.origin}/admin`)}`;
}

export const signInWithPassword = (email: string, password: string) =>
  session('/token?grant_type=password', { email, password });

export const refresh = (refresh_token: string) =>
  session('/token?grant_type=refresh_token', { refresh_token });

/** Ends the session (`local`), the user's others (`others`) or all of them (`global`). */
export const signOut = (token: string, scope: 'local' | 'others' | 'global') =>
  auth<void>(`/logout?scope=${scope}`, { method: 'POST', token, keepalive: true });

export const currentUser = (token: string) => auth<User>('/user', { token });

export type UserChange = { email?: string; password?: string; nonce?: string };

export const updateUser = (token: string, change: UserChange) =>
  auth<User>(`/user?${redirectTo()}`, { method: 'PUT', body: change, token });

/** Mails a code that a change of password may need when the session is old. */
export const reauthenticate = (token: string) => auth<unknown>('/reauthenticate', { token });

/** Mails a link for a new password, if there is such an account; the answer is the same if there is none. */
export const requestPasswordReset = (email: string) =>
  post<unknown>(`/requestPasswordReset?${redirectTo()}`, { email });

/** Opens a session with the code of a recovery mail, for those who read it on another device. */
export const recoverWithCode = (email: string, token: string) =>
  session('/verify', { type: 'recovery', email, token });

/** Where the company's identity provider for a mail domain wants the browser. */
export const startSso = (domain: string, code_challenge: string) =>
  post<{ url: string }>('/sso', {
    domain,
    redirect_to: `${location.origin}/admin`,
    skip_http_redirect: true,
    code_challenge,
    code_challenge_method: 's256',
  });

export const exchangeCode = (auth_code: string, code_verifier: string) =>
  session('/token?grant_type=pkce', { auth_code, code_verifier });

export type Enrollment = { id: string; totp: { qr_code: string; secret: string; uri: string } };

export const enrollFactor = (token: string, friendly_name: string) =>
  post<Enrollment>('/factors', { factor_type: 'totp', friendly_name }, token);

/** Proves a factor with its six digits; the answer is a session of level aal2. */
export async function verifyFactor(token: string, factorId: string, code: string): Promise<Session> {
  const { id } = await post<{ id: string }>(`/factors/${factorId}/challenge`, {}, token);
  return session(`/factors/${factorId}/verify`, { challenge_id: id, code }, token);
}

export const removeFactor = (token: string, factorId: string) =>
  auth<{ id: string }>(`/factors/${factorId}`, { method: 'DELETE', token });

/** Signs in with a recovery code in place of the factor; the answer is a session of level aal2. */
export const signInWithRecoveryCode = (token: string, code: string) =>
  session('/account/recovery-codes/verify', { code }, token);

/** Makes a new set of recovery codes, which ends the old one. They are shown this once. */
export const createRecoveryCodes = (token: string) =>
  post<{ codes: string[] }>('/account/recovery-codes', {}, token);

export const listSessions = (token: string) => auth<{ sessions: OwnSession[] }>('/sessions', { token });

export const endSession = (token: string, id: string) =>
  auth<unknown>(`/sessions/${id}`, { method: 'DELETE', token });

/** A page of those who have an account, newest first. For admins. */
export type UserPage = { users: User[]; next_cursor?: string };

/** The page after `cursor`, or the first. */
export const listUsers = (token: string, perPage: number, cursor = '') =>
  auth<UserPage>(`/admin/users?per_page=${perPage}&cursor=${encodeURIComponent(cursor)}`, { token });

/** Invites somebody by mail; an `admin` may work the queue. */
export const invite = (token: string, email: string, admin: boolean) =>
  post<User>('/admin/invite', { email, ...(admin ? { role: 'admin' } : {}) }, token);

/** Locks an account for good, or opens it again. */
export const setUserSuspended = (token: string, id: string, suspended: boolean) =>
  auth<User>(`/admin/users/${id}`, {
    method: 'PUT',
    token,
    body: { ban_duration: suspended ? '876000h' : 'none' },
  });

/** Makes an admin of somebody, or makes them one no longer. */
export const setUserAdmin = (token: string, id: string, admin: boolean) =>
  auth<User>(`/admin/users/${id}`, {
    method: 'PUT',
    token,
    body: { role: admin ? 'admin' : 'authenticated' },
  });

/** Takes a second factor from somebody who has lost it. */
export const removeUserFactor = (token: string, userId: string, factorId: string) =>
  auth<Factor>(`/admin/users/${userId}/factors/${factorId}`, { method: 'DELETE', token });
