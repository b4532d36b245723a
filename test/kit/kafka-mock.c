/* A mock cluster of librdkafka for tests without Java. Each line "topic partitions" on stdin makes a topic; it ends with its stdin. */
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>

int main(void) {
  char reason[512], topic[256];
  int partitions;
  rd_kafka_t *client = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), reason, sizeof reason);
  if (client == NULL) return fprintf(stderr, "%s\n", reason), 1;
  rd_kafka_mock_cluster_t *cluster = rd_kafka_mock_cluster_new(client, 1);
  printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
  fflush(stdout);
  while (scanf("%255s %d", topic, &partitions) == 2) {
    printf("made %d\n", rd_kafka_mock_topic_create(cluster, topic, partitions, 1));
    fflush(stdout);
  }
  rd_kafka_mock_cluster_destroy(cluster);
  rd_kafka_destroy(client);
  return 0;
}
