import { Empty } from '../../parts/empty';

export default function HealthScreen() {
  return <Empty title="Health" />;
}
