/**
 * Settles like `awaited`; after `patience` milliseconds like `late`, which returns or throws.
 *
 * @param tooLate receives a result after the timeout
 */
export function inTime<T, L>(
  awaited: Promise<T>,
  patience: number,
  late: () => L,
  tooLate?: (value: T) => void,
): Promise<T | L> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, patience);
    awaited.then(
      (value) => {
        clearTimeout(timer);
        if (isLate) tooLate?.(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
