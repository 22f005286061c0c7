// Keeps drafts on the server for as long as the dashboard is open.
import { useEffect } from 'react';
import { useAuth } from '../session/provider';
import { connectDrafts } from './drafts';

export function useDrafts() {
  const { manager } = useAuth();
  useEffect(() => connectDrafts((call) => manager.withToken(call)), [manager]);
}
