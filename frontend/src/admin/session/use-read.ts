// What a call of the API returns, read once when a part of the page is shown.
import { useEffect, useState } from 'react';
import { errorMessage } from '../ui/use-submit';
import { useAuth } from './provider';

/**
 * `read` is the same function at each rendering. `found` is undefined until it was read; `problem`
 * is why it could not be, or empty.
 */
export function useRead<T>(read: (token: string) => Promise<T>): { found: T | undefined; problem: string } {
  const { manager } = useAuth();
  const [found, setFound] = useState<T>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let wanted = true;
    manager.withToken(read).then(
      (answer) => wanted && setFound(answer),
      (error) => wanted && setProblem(errorMessage(error)),
    );
    return () => {
      wanted = false;
    };
  }, [manager, read]);
  return { found, problem };
}
