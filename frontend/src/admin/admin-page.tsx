// The admin page: its four states are drawn by the files beside this one.
import type { PageProps } from '../routes';

export default function AdminPage(_: PageProps) {
  return <main id="main">Loading</main>;
}
