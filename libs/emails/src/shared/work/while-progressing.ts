/**
 * Settles like the work, unless it makes no progress for `patience` milliseconds: then like `late`, which throws.
 *
 * @param work calls its parameter at each progress
 */
export function whileProgressing<T>(
  work: (progress: () => void) => Promise<T>,
  patience: number,
  late: () => never,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      try {
        late();
      } catch (error) {
        reject(error);
      }
    }, patience);
    const progress = () => {
      if (!isOver) timer.refresh();
    };
    const end = () => {
      isOver = true;
      clearTimeout(timer);
    };
    work(progress).then(resolve, reject).finally(end);
  });
}
