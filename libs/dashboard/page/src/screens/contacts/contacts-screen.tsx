import { Empty } from '../../parts/empty';

export default function ContactsScreen() {
  return <Empty title="Contacts" />;
}
