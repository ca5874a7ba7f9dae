import { Empty } from '../../parts/empty';

export default function InboxScreen() {
  return <Empty title="Inbox" />;
}
