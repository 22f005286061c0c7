// One page for each of the 50 states.
import { stateBySlug } from '../content/states';
import type { PageProps } from '../routes';
import NotFound from './not-found';

export default function State(props: PageProps) {
  const state = stateBySlug(props.params.slug);
  if (!state) return <NotFound {...props} />;
  return <h1>{`Security guards in ${state.name}`}</h1>;
}
