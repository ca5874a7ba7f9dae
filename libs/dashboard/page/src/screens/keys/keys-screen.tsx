import { Empty } from '../../parts/empty';

export default function KeysScreen() {
  return <Empty title="Keys" />;
}
