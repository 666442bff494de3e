class Mean:
    """Each object of a client is one of these on every rank."""

    ended_count = 0

    def __init__(self):
        self.sum = self.count = None

    def begin(self):
        self.sum, self.count = 0.0, 0

    def take(self, x):
        self.sum += float(x.sum())
        self.count += len(x)

    def value(self, result):
        if self.count == 0:
            raise ValueError("nothing has come yet")
        result[0] = self.sum / self.count

    def end(self):
        Mean.ended_count += 1

    @staticmethod
    def count_of_ended(count):
        count[0] = Mean.ended_count


class Plain:
    made_count = 0

    def __init__(self):
        Plain.made_count += 1
        self.number = 100 * Plain.made_count

    def next(self, number):
        self.number += 1
        number[0] = self.number
