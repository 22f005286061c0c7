// What a call of the API returns, read once when a part of the page is shown.
import { useEffect, useState } from 'react';
import { errorMessage } from '../ui/use-submit';
import { useAuth } from './provider';

/**
 * `read` is the same function at each rendering. `found` is undefined until it was read; `problem`
 * is why it could not be, or empty; `retry` reads it again.
 */
export function useRead<T>(read: (token: string) => Promise<T>) {
  const { manager } = useAuth();
  const [found, setFound] = useState<T>();
  const [problem, setProblem] = useState('');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let wanted = true;
    setProblem('');
    manager.withToken(read).then(
      (answer) => wanted && setFound(answer),
      (error) => wanted && setProblem(errorMessage(error)),
    );
    return () => {
      wanted = false;
    };
  }, [manager, read, attempt]);
  return { found, problem, retry: () => setAttempt((count) => count + 1) };
}
