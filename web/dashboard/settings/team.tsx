/** Who belongs to the workspace, and who is asked to. */
import { ListScreen } from '../lists/list-screen.tsx';
import { team } from '../lists/records.tsx';
import { Invitations } from './invitations.tsx';

export default function Team() {
  return <ListScreen declaration={team} above={<Invitations />} />;
}
