import { Empty } from '../../parts/empty';

export default function EmailsScreen() {
  return <Empty title="Emails" />;
}
