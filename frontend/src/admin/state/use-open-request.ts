// The request named in the URL, with its history: read when it is opened and after each of its
// changes. Until it is loaded, the data of the list is shown.
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { type RequestDetail, type RequestItem, readRequest } from '../../api/inbox';
import { useAuth } from '../session/provider';
import type { RequestListStore } from './use-request-list';

export type OpenRequest = {
  request: RequestItem | undefined;
  /** History, related requests and files; undefined until they were read. */
  detail: RequestDetail | undefined;
  missing: boolean;
  failed: boolean;
  reload(): void;
};

/**
 * `id` may be a reference; `known` is the request as the dashboard has it; `put` stores what was
 * read unless `watch` says that it was changed since, and `drop` removes a request that was
 * deleted.
 */
export function useOpenRequest(
  id: string | undefined,
  known: RequestItem | undefined,
  { put, drop, watch }: Pick<RequestListStore, 'put' | 'drop' | 'watch'>,
): OpenRequest {
  const { manager } = useAuth();
  const [detail, setDetail] = useState<{ asked: string; read: RequestDetail }>();
  const [failure, setFailure] = useState<{ id: string; missing: boolean }>();
  const [attempt, setAttempt] = useState(0);
  const read = detail?.asked === id ? detail?.read : undefined;

  useEffect(() => {
    if (id === undefined) return;
    const abort = new AbortController();
    const isNewer = watch();
    manager
      .withToken(readRequest, id, abort.signal)
      .then((found) => {
        setFailure(undefined);
        setDetail({ asked: id, read: found });
        if (!isNewer(found.id)) put(found);
      })
      .catch((error) => {
        if (abort.signal.aborted) return;
        const missing = error instanceof ApiError && [400, 404, 422].includes(error.status);
        setFailure({ id, missing });
        if (missing) drop(id);
      });
    return () => abort.abort();
  }, [manager, put, drop, watch, id, attempt]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  // The list was refreshed and has a later state than the history.
  const isStale = read !== undefined && known !== undefined && known.updated_at > read.updated_at;
  useEffect(() => {
    if (isStale) reload();
  }, [isStale, known?.updated_at, reload]);

  const failed = failure?.id === id ? failure : undefined;
  return {
    // A duplicate is answered with the request that shows it.
    request: failed?.missing ? undefined : read && known?.id !== read.id ? read : (known ?? read),
    detail: failed?.missing ? undefined : read,
    missing: failed?.missing === true,
    failed: failed?.missing === false,
    reload,
  };
}
