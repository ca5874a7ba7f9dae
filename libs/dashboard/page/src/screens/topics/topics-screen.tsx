import { Empty } from '../../parts/empty';

export default function TopicsScreen() {
  return <Empty title="Topics" />;
}
