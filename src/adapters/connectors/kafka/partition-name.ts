/** A partition of a topic. */
export interface TopicPartition {
  topic: string;
  number: number;
}

/** The runner's name of a partition: `topic/number`. */
export const partitionName = ({ topic, number }: TopicPartition): string => `${topic}/${number}`;

export function parsePartitionName(name: string): TopicPartition {
  const slash = name.lastIndexOf('/');
  return { topic: name.slice(0, slash), number: Number(name.slice(slash + 1)) };
}
