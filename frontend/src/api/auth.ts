// Client of the authentication service (/auth/v1), one function per call. admin/session stores the
// session.
import { ApiError, callApi, type Request } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Factor = Schemas['Factor'];

/** Unset fields are missing from the response, `factors` included. */
export type User = Pick<Schemas['User'], 'id' | 'email' | 'created_at'> & Partial<Schemas['User']>;

/** The session with its tokens, stored as a whole. Times in Unix seconds. */
export type Session = Omit<Schemas['Session'], 'user'> & { user: User };

/** One of the user's sessions, on this or another device. */
export type OwnSession = Schemas['OwnSession'];

/** This header selects the newer error format, `{code, message}`. */
const version = { 'X-Supabase-Api-Version': '2024-01-01' };

function auth<T>(path: string, request: Request = {}): Promise<T> {
  return callApi<T>(`/auth/v1${path}`, { ...request, headers: { ...version, ...request.headers } });
}

function post<T>(path: string, body: unknown, token?: string): Promise<T> {
  return auth<T>(path, { method: 'POST', body, ...(token ? { token } : {}) });
}

/** A call that creates or renews a session. A success response without a session is an error. */
async function session(path: string, body: unknown, token?: string): Promise<Session> {
  const answer = await post<Partial<Session> | undefined>(path, body, token);
  if (answer?.access_token && answer.user) return answer as Session;
  throw new ApiError(500, 'invalid_token_response', 'Auth session or user missing');
}

/** The URL that email links and identity providers redirect to. */
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

/** Proves again who uses the session, which counts as a recent sign-in then. */
export const confirmSession = (token: string, proof: { password: string } | { nonce: string }) =>
  post<void>('/account/reauthenticate', proof, token);

/** Emails a code that a password change, or another proof of who uses the session, needs. */
export const reauthenticate = (token: string) => auth<unknown>('/reauthenticate', { token });

/** Emails a password reset link; the response is the same if there is no such account. */
export const requestPasswordReset = (email: string) => post<unknown>(`/recover?${redirectTo()}`, { email });

/** Creates a session with the code of a recovery email, which may be read on another device. */
export const recoverWithCode = (email: string, token: string) =>
  session('/verify', { type: 'recovery', email, token });

/** The URL of the identity provider for an email domain. */
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

/** Verifies a factor with its six digits; returns a session of level aal2. */
export async function verifyFactor(token: string, factorId: string, code: string): Promise<Session> {
  const { id } = await post<{ id: string }>(`/factors/${factorId}/challenge`, {}, token);
  return session(`/factors/${factorId}/verify`, { challenge_id: id, code }, token);
}

export const removeFactor = (token: string, factorId: string) =>
  auth<{ id: string }>(`/factors/${factorId}`, { method: 'DELETE', token });

/** Signs in with a recovery code instead of the factor; returns a session of level aal2. */
export const signInWithRecoveryCode = (token: string, code: string) =>
  session('/account/recovery-codes/verify', { code }, token);

/** Creates a new set of recovery codes and invalidates the old one. They are returned only once. */
export const createRecoveryCodes = (token: string) =>
  post<{ codes: string[] }>('/account/recovery-codes', {}, token);

export const listSessions = (token: string) => auth<{ sessions: OwnSession[] }>('/sessions', { token });

export const endSession = (token: string, id: string) =>
  auth<unknown>(`/sessions/${id}`, { method: 'DELETE', token });

/** A page of all users, newest first. For admins. */
export type UserPage = { users: User[]; next_cursor?: string };

/** The page after `cursor`, or the first. */
export const listUsers = (token: string, perPage: number, cursor = '') =>
  auth<UserPage>(`/admin/users?per_page=${perPage}&cursor=${encodeURIComponent(cursor)}`, { token });

/** `dispatcher`: requests only, without users, content, erasure and exports. */
export type Role = 'admin' | 'dispatcher';

/** Invites a user by email; without a role, they have no access to the dashboard. */
export const invite = (token: string, email: string, role: Role | undefined) =>
  post<User>('/admin/invite', { email, ...(role ? { role } : {}) }, token);

/** Suspends a user, or reinstates one. */
export const setUserSuspended = (token: string, id: string, suspended: boolean) =>
  auth<User>(`/admin/users/${id}`, {
    method: 'PUT',
    token,
    body: { ban_duration: suspended ? '876000h' : 'none' },
  });

/** Sets the role of a user, or removes it. */
export const setUserRole = (token: string, id: string, role: Role | undefined) =>
  auth<User>(`/admin/users/${id}`, { method: 'PUT', token, body: { role: role ?? 'authenticated' } });

/** Removes a user's lost second factor. */
export const removeUserFactor = (token: string, userId: string, factorId: string) =>
  auth<Factor>(`/admin/users/${userId}/factors/${factorId}`, { method: 'DELETE', token });
