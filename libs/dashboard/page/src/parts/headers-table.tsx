import './headers-table.css';

interface HeadersTableProps {
  caption: string;
  columns: { name: string; value: string };
  headers: readonly { name: string; value: string }[];
}

/** The header of a message, in its order. */
export function HeadersTable({ caption, columns, headers }: HeadersTableProps) {
  return (
    <table className="headers-table">
      <caption className="only-read">{caption}</caption>
      <thead className="only-read">
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.value}</th>
        </tr>
      </thead>
      <tbody>
        {headers.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headers have an order, and may repeat
          <tr key={at}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td className="mono">
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
