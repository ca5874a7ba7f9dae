/** Result of the official Node client for an answer. */
interface SdkAnswer<T> {
  data: T | null;
  error: unknown;
}

/** The data of an answer that must not be an error. */
export async function ok<T>(answer: PromiseLike<SdkAnswer<T>>): Promise<T> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  if (data === null) throw new Error('The client gave neither data nor an error.');
  return data;
}
