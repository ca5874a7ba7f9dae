import { Empty } from '../../parts/empty';

export default function WebhooksScreen() {
  return <Empty title="Webhooks" />;
}
